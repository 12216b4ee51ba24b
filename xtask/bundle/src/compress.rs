//! Compressed copies, made once here instead of on every request.

use std::{fs, path::Path};

use brotli::{BrotliCompress, enc::BrotliEncoderParams};

use crate::Result;

/// Writes `FILE.br` beside each file that gets smaller by it.
pub fn all(dir: &Path) -> Result<()> {
    let files = fs::read_dir(dir)?.collect::<std::io::Result<Vec<_>>>()?;
    for path in files.into_iter().map(|file| file.path()) {
        let plain = fs::read(&path)?;
        let compressed = brotli(&plain)?;
        if compressed.len() < plain.len() {
            fs::write(format!("{}.br", path.display()), compressed)?;
        }
    }
    Ok(())
}

fn brotli(plain: &[u8]) -> Result<Vec<u8>> {
    let params = BrotliEncoderParams {
        quality: 11,
        lgwin: 24,
        size_hint: plain.len(),
        ..Default::default()
    };
    let mut compressed = Vec::new();
    BrotliCompress(&mut &plain[..], &mut compressed, &params)?;
    Ok(compressed)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::brotli;

    #[test]
    fn what_was_compressed_can_be_read_back() {
        let plain = b"a line of a style sheet\n".repeat(40);
        let compressed = brotli(&plain).unwrap();
        let mut again = Vec::new();
        brotli::Decompressor::new(&*compressed, 1 << 12)
            .read_to_end(&mut again)
            .unwrap();
        assert!(compressed.len() < plain.len());
        assert_eq!(again, plain);
    }
}
