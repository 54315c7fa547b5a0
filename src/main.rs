//! The program: the window, or a headless command.

fn main() -> std::process::ExitCode {
    ossature::cli::main()
}
