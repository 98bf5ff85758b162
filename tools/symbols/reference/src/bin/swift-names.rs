//! swift-names prints each line of its input, and behind it the name that Swift's own demangler has for it.
use std::io::{stdin, BufRead};
use symbolic_common::{Language, Name, NameMangling};
use symbolic_demangle::{Demangle, DemangleOptions};

fn main() {
    for line in stdin().lock().lines().map_while(Result::ok) {
        let name = Name::new(line.as_str(), NameMangling::Mangled, Language::Swift);
        println!("{line} ---> {}", name.demangle(DemangleOptions::complete()).unwrap_or_default());
    }
}
