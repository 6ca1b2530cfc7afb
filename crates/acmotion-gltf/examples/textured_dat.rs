//! Writes a dat file of a cube whose sides have textures of several formats: `textured_dat OUT`. The tests of glTF files use it.

#[path = "../tests/gltf/textured.rs"]
mod textured;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("give the name of the dat file to write")?;
    std::fs::write(path, textured::dat_file())?;
    Ok(())
}
