# Made by packaging/build for the release @VERSION@.
class Tracewell < Formula
  desc "Event Tracing for Windows on any system, with the language of DTrace"
  homepage "https://github.com/tracewell/tracewell"
  url "https://github.com/tracewell/tracewell/releases/download/v@VERSION@/@FILE@"
  sha256 "@SUM@"
  license any_of: ["MIT", "Apache-2.0"]

  # The programs are those of the tarball for Linux.
  depends_on arch: :x86_64
  depends_on :linux

  def install
    # The library of fpid is found beside the programs.
    libexec.install "dtrace", "etw", "tracewelld", "libtracewell_fpid.so"
    bin.install_symlink libexec/"dtrace", libexec/"etw", libexec/"tracewelld"
    man1.install Dir["man/*.1.gz"]
    pkgshare.install "scripts"
    %w[dtrace etw].each do |command|
      bash_completion.install "completions/#{command}.bash" => command
      zsh_completion.install "completions/#{command}.zsh" => "_#{command}"
      fish_completion.install "completions/#{command}.fish"
    end
  end

  test do
    assert_match "whorun", shell_output("#{bin}/dtrace scripts")
    system bin/"etw", "record", "-o", "t.etl", "-p", "Tracewell-Log", "--", bin/"etw", "log", "hello"
    system bin/"etw", "verify", "t.etl"
  end
end
