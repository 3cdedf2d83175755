// Holds a file against the schema that Speedscope publishes: node speedscope.cjs VIEWERS FILE
const fs = require("fs"), path = require("path");
const [viewers, file] = process.argv.slice(2);
const modules = path.join(viewers, "node_modules");
const Ajv = require(path.join(modules, "ajv"));
const schema = JSON.parse(fs.readFileSync(path.join(modules, "speedscope/dist/release/file-format-schema.json")));
const validate = new (Ajv.default || Ajv)({ strict: false, allErrors: true, validateSchema: false }).compile(schema);
if (!validate(JSON.parse(fs.readFileSync(file)))) {
  console.log(JSON.stringify(validate.errors.slice(0, 5), null, 1));
  process.exit(1);
}
console.log("valid");
