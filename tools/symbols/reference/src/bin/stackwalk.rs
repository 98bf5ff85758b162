//! stackwalk [--programs] SYMBOLS DUMP prints what minidump-processor reads in a dump, as minidump-stackwalk --json does. --programs has it unwind by the
//! tables of the programs that the dump names, instead of symbol files.
use minidump::{Minidump, MinidumpModuleList, MinidumpSystemInfo};
use minidump_processor::ProcessorOptions;
use minidump_unwind::{debuginfo::DebugInfoSymbolProvider, simple_symbol_supplier, MultiSymbolProvider, Symbolizer};
use std::{env, io, path::PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args: Vec<String> = env::args().skip(1).collect();
    let programs = args.first().is_some_and(|a| a == "--programs");
    if programs {
        args.remove(0);
    }
    let [symbols, dump] = args.as_slice() else {
        return Err("usage: stackwalk [--programs] SYMBOLS DUMP".into());
    };
    let dump = Minidump::read_path(dump)?;
    let mut provider = MultiSymbolProvider::new();
    if programs {
        let system = dump.get_stream::<MinidumpSystemInfo>()?;
        let modules = dump.get_stream::<MinidumpModuleList>()?;
        provider.add(Box::new(pollster::block_on(DebugInfoSymbolProvider::new(&system, &modules))));
    } else {
        provider.add(Box::new(Symbolizer::new(simple_symbol_supplier(vec![PathBuf::from(symbols)]))));
    }
    let state = pollster::block_on(minidump_processor::process_minidump_with_options(
        &dump,
        &provider,
        ProcessorOptions::stable_basic(),
    ))?;
    state.print_json(&mut io::stdout(), false)?;
    Ok(())
}
