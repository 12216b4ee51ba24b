//! Any bytes as a ratings file; what is read goes through every coefficient.
#![no_main]

use formats::ratings::{MISSING, RatingsOptions, read_ratings};
use stats::{Coding, RatingsBuilder, Scale, Value, agreement};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let options = RatingsOptions {
        rater: (choice & 1 > 0).then(|| "rater".to_owned()),
        cluster: (choice & 2 > 0).then(|| "c".to_owned()),
        by: (choice & 4 > 0).then(|| "b".to_owned()),
        missing: vec!["NA".to_owned()],
        categories: if choice & 8 > 0 { vec!["1".to_owned(), "2".to_owned()] } else { Vec::new() },
        non_negative: choice & 16 > 0,
        ..RatingsOptions::default()
    };
    let Ok(file) = read_ratings(bytes, &options) else { return };
    for criterion in file.criteria {
        assert_eq!(criterion.cells.len(), criterion.n_items * criterion.raters.len());
        if criterion.raters.len() > 12 || criterion.n_items > 1000 {
            continue;
        }
        let seen: Vec<Value> = criterion.values.iter().map(|value| value.as_str().into()).collect();
        let Ok(coding) = Coding::new(None, &seen) else { continue };
        let mut builder = RatingsBuilder::new(coding.categories.clone(), criterion.raters.len());
        for row in criterion.cells.chunks(criterion.raters.len().max(1)) {
            let codes: Vec<Option<u32>> = row.iter().map(|&v| (v != MISSING).then(|| coding.codes[v as usize])).collect();
            builder.push(&codes).expect("codes of the coding");
        }
        for named in agreement::report(&builder.finish(), Scale::Ratio) {
            if let Ok(estimate) = named.statistic {
                assert!(estimate.value.is_finite(), "{}", named.coefficient.name());
            }
        }
    }
});
