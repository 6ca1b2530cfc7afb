//! The formulas for skills: run rate, jump height and speed, stamina costs, burden (rules K10, C25).
//!
//! ```
//! use acmotion::formulas::{carrying_capacity, load, run_rate};
//!
//! // A character with strength 10 and run skill 105 carries 2,075 burden units.
//! let load = load(2075, carrying_capacity(10, 0));
//! assert_eq!(run_rate(load, 105) as f32, 1.583_811_5);
//! ```

pub use crate::interp::{
    carrying_capacity, jump_height, jump_level, jump_speed, jump_stamina_cost, load, load_modifier, run_rate,
};
