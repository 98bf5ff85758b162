//! dumper PROCESS THREAD FILE writes a minidump of a process that runs, blamed on one of its threads.
use minidump_writer::minidump_writer::MinidumpWriterConfig;
use std::{env, fs::File};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [process, thread, file] = args.as_slice() else {
        return Err("usage: dumper PROCESS THREAD FILE".into());
    };
    let mut out = File::create(file)?;
    MinidumpWriterConfig::new(process.parse()?, thread.parse()?).write(&mut out)?;
    Ok(())
}
