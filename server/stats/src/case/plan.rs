//! `sample_size`.

use super::CaseError;
use super::flat::Flat;
use super::input::Input;
use crate::sample_size::{self, Power, Width};
use crate::weights::Weights;

pub(super) fn sample_size(input: &Input, flat: &mut Flat) -> Result<(), CaseError> {
    let power = Power {
        alpha: input.real_or("alpha", 0.05)?,
        power: input.real_or("power", 0.8)?,
        two_sided: input.flag("two_sided")?,
    };
    let raters = || input.real_or("raters", 2.0).map(|n| n as u32);
    let shares = |name: &str| {
        input
            .numbers(name)
            .map(|shares| shares.into_iter().flatten().collect::<Vec<f64>>())
    };
    let needed = match input.text("method")?.as_str() {
        "cantor" => sample_size::cantor(
            input.real("rate1")?,
            input.real("rate2")?,
            input.real("k1")?,
            input.real("k0")?,
            power,
        ),
        "donner_eliasziw" => sample_size::donner_eliasziw(
            input.real("k0")?,
            input.real("k1")?,
            input.real("prevalence")?,
            raters()?,
            power,
        ),
        "ci_binary" => {
            let (low, high) = (input.real("k_low")?, input.real("k_high")?);
            sample_size::interval_binary(
                input.real("k0")?,
                low,
                high,
                input.real("prevalence")?,
                raters()?,
                power.alpha,
            )
        }
        "flack" => sample_size::flack(
            &shares("margins")?,
            input.real("k1")?,
            input.real("k0")?,
            power,
        ),
        "width" => {
            return by_width(input, shares("shares")?, flat);
        }
        other => return Err(CaseError::new("method", format!("`{other}` is not known"))),
    };
    flat.result("n_raw", needed.map(|n| n.raw));
    flat.result("n", needed.map(|n| n.items as f64));
    Ok(())
}

fn by_width(input: &Input, shares: Vec<f64>, flat: &mut Flat) -> Result<(), CaseError> {
    let plan = Width {
        shares,
        kappa: input.real("kappa")?,
        weights: Weights::Identity,
        runs: input.real_or("runs", 200.0)?.clamp(0.0, 1e5) as u32,
        seed: input.real_or("seed", 1.0)? as u64,
    };
    match sample_size::items_for_width(&plan, input.real("width")?) {
        Ok(items) => flat.count("n", items),
        Err(reason) => flat.missing("n", reason),
    }
    Ok(())
}
