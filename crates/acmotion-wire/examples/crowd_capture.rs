//! Writes a capture of any size to measure tools with: objects that run in circles, each of which is sent with its motion and
//! its position once a second, one message in a packet.
//!
//! ```text
//! cargo run --release -p acmotion-wire --example crowd_capture -- crowd.pcap 500
//! ```
//!
//! The second argument is the size in megabytes. A third one is the number of objects, which is 100 without it.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

use acmotion_wire::Direction;
use acmotion_wire::capture::CaptureWriter;

/// The number of objects, unless another one is given.
const OBJECTS: u32 = 100;
/// The Unix time of the first message, in seconds.
const START: f64 = 1_700_000_000.0;
/// The number of bytes that a packet has in the capture besides its message.
const PACKET_OVERHEAD: usize = 94;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(megabytes)) = (arguments.next(), arguments.next()) else {
        return Err("expected the path of the capture and its size in megabytes".into());
    };
    let size = 1_000_000 * megabytes.parse::<usize>()?;
    let objects = arguments.next().map_or(Ok(OBJECTS), |count| count.parse())?;
    let mut writer = CaptureWriter::new(BufWriter::new(File::create(path)?))?;
    let (mut written, mut messages) = (0, 0_u64);
    for second in 0_u32.. {
        for object in 0..objects {
            let time = START + f64::from(second) + f64::from(object) / f64::from(objects);
            for message in [motion(object, second), position(object, second)] {
                writer.message(time, Direction::S2C, &message)?;
                written += message.len() + PACKET_OVERHEAD;
                messages += 1;
            }
            if written >= size {
                println!("{messages} messages of {} s", second + 1);
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Returns an `UpdateMotion`: the object runs forward; every seventh one also has a speed.
fn motion(object: u32, second: u32) -> Vec<u8> {
    let mut message = words(&[0xF74C, guid(object)]);
    message.extend([1_u16, stamp(second), 0].into_iter().flat_map(u16::to_le_bytes));
    message.extend([1, 0, 0, 0, 0x3D, 0]);
    let has_speed = (object + second).is_multiple_of(7);
    message.extend(words(&[if has_speed { 0x13 } else { 0x03 }]));
    message.extend([0x3D_u16, 7].into_iter().flat_map(u16::to_le_bytes));
    if has_speed {
        message.extend((1.5 + 0.1 * (object % 5) as f32).to_le_bytes());
    }
    message
}

/// Returns an `UpdatePosition` on a circle of 20 m around the object's own centre.
fn position(object: u32, second: u32) -> Vec<u8> {
    let angle = 0.15 * f64::from(second) + f64::from(object);
    let centre = |number: u32| 40.0 + 12.0 * f64::from(number % 10);
    let (x, y) = (centre(object) + 20.0 * angle.cos(), centre(object / 10) + 20.0 * angle.sin());
    let square = |metres: f64| (metres / 24.0).clamp(0.0, 7.0) as u32;
    let cell = 0xA9B4_0001 + 8 * square(x) + square(y);
    let mut message = words(&[0xF748, guid(object), 0x34, cell]);
    for value in [x, y, 94.0, (angle / 2.0).cos(), (angle / 2.0).sin()] {
        message.extend((value as f32).to_le_bytes());
    }
    message.extend([1, stamp(second), 0, 0].into_iter().flat_map(u16::to_le_bytes));
    message
}

fn guid(object: u32) -> u32 {
    0x5000_0001 + object
}

/// Returns the stamp of a message, which is one more each second.
fn stamp(second: u32) -> u16 {
    (second as u16).wrapping_add(1)
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
