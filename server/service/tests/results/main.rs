//! From judgements to units, rulings and what checks them, on the engine under test.

mod check;
mod fixture;
mod missed;
mod rulings;
mod units;
