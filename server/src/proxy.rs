//! Whose address a request came from, where proxies stand in front of the server.
//!
//! What `X-Forwarded-For` says counts only when it comes from a proxy that the operator named: anybody can send the header.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use axum::http::HeaderMap;
use serde::Deserialize;

const FORWARDED_FOR: &str = "x-forwarded-for";

/// Addresses that begin alike: one address, or a network such as `10.0.0.0/8`.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(try_from = "String")]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

/// What is no network.
#[derive(Debug)]
pub struct NoNetwork;

impl fmt::Display for NoNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an IP address, or a network such as 10.0.0.0/8")
    }
}

impl std::error::Error for NoNetwork {}

impl FromStr for Network {
    type Err = NoNetwork;

    fn from_str(text: &str) -> Result<Self, NoNetwork> {
        let (address, prefix) = match text.split_once('/') {
            None => (text, None),
            Some((address, prefix)) => (address, Some(prefix)),
        };
        let address: IpAddr = address.trim().parse().map_err(|_| NoNetwork)?;
        let widest = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            None => widest,
            Some(prefix) => prefix.trim().parse().map_err(|_| NoNetwork)?,
        };
        (prefix <= widest)
            .then_some(Self { address, prefix })
            .ok_or(NoNetwork)
    }
}

impl TryFrom<String> for Network {
    type Error = NoNetwork;

    fn try_from(text: String) -> Result<Self, NoNetwork> {
        text.parse()
    }
}

impl Network {
    fn contains(self, address: IpAddr) -> bool {
        let (own, other, width) = match (self.address, address) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                (u128::from(own.to_bits()), u128::from(other.to_bits()), 32)
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => (own.to_bits(), other.to_bits(), 128),
            _ => return false,
        };
        // A shift by the whole width is none of an integer: a prefix of 0 holds everything.
        let rest = width - u32::from(self.prefix);
        own.checked_shr(rest).unwrap_or(0) == other.checked_shr(rest).unwrap_or(0)
    }
}

/// The proxies whose word counts.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct TrustedProxies(pub Vec<Network>);

impl FromStr for TrustedProxies {
    type Err = NoNetwork;

    /// Networks separated by commas; none where the setting is there and empty, as files for containers have it.
    fn from_str(text: &str) -> Result<Self, NoNetwork> {
        let named = text.split(',').map(str::trim);
        let named = named.filter(|network| !network.is_empty());
        named.map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

impl TrustedProxies {
    /// The address of whoever asks: the peer's, or, where the peer is trusted, the last one of `X-Forwarded-For` that is not.
    /// What stands left of that was written by somebody who is not trusted.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut found = peer.to_canonical();
        let lines: Vec<&str> = headers
            .get_all(FORWARDED_FOR)
            .iter()
            .map(|line| line.to_str().unwrap_or_default())
            .collect();
        let mut hops = lines.iter().flat_map(|line| line.split(',')).rev();
        while self.0.iter().any(|network| network.contains(found)) {
            let Some(hop) = hops.next().and_then(address) else {
                break;
            };
            found = hop;
        }
        found
    }
}

/// The address of one entry, which may have a port.
fn address(entry: &str) -> Option<IpAddr> {
    let entry = entry.trim();
    let bare = match entry.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or(rest, |(inner, _)| inner),
        None => match entry.split_once(':') {
            // One colon is before a port; an address of the sixth version has more.
            Some((bare, port)) if !port.contains(':') => bare,
            _ => entry,
        },
    };
    bare.parse()
        .ok()
        .map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::{Network, TrustedProxies};
    use axum::http::HeaderMap;

    fn client(trusted: &[&str], peer: &str, lines: &[&str]) -> String {
        let networks = trusted.iter().map(|one| one.parse().unwrap());
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append("x-forwarded-for", line.parse().unwrap());
        }
        TrustedProxies(networks.collect())
            .client(peer.parse().unwrap(), &headers)
            .to_string()
    }

    #[test]
    fn only_a_trusted_peer_is_believed() {
        let spoofed = ["203.0.113.9"];
        assert_eq!(client(&[], "198.51.100.1", &spoofed), "198.51.100.1");
        let others = ["10.0.0.0/8", "::1"];
        assert_eq!(client(&others, "198.51.100.1", &spoofed), "198.51.100.1");
        assert_eq!(client(&others, "10.2.3.4", &spoofed), "203.0.113.9");
        assert_eq!(client(&others, "::1", &spoofed), "203.0.113.9");
        assert_eq!(client(&others, "::ffff:10.2.3.4", &spoofed), "203.0.113.9");
        assert_eq!(client(&others, "10.2.3.4", &[]), "10.2.3.4");
    }

    #[test]
    fn the_last_address_that_is_not_trusted_counts_and_what_it_said_does_not() {
        let trusted = ["10.0.0.0/8"];
        let line = ["192.0.2.1, 203.0.113.9, 10.0.0.7"];
        assert_eq!(client(&trusted, "10.0.0.1", &line), "203.0.113.9");
        let two = ["192.0.2.1", "203.0.113.9, 10.0.0.7"];
        assert_eq!(client(&trusted, "10.0.0.1", &two), "203.0.113.9");
        let ports = ["203.0.113.9:4711"];
        assert_eq!(client(&trusted, "10.0.0.1", &ports), "203.0.113.9");
        let sixth = ["[2001:db8::1]:443"];
        assert_eq!(client(&trusted, "10.0.0.1", &sixth), "2001:db8::1");
        assert_eq!(
            client(&trusted, "10.0.0.1", &["2001:db8::2"]),
            "2001:db8::2"
        );
        // Nothing behind what cannot be read is believed.
        let broken = ["203.0.113.9, unknown, 10.0.0.7"];
        assert_eq!(client(&trusted, "10.0.0.1", &broken), "10.0.0.7");
        let within = ["10.0.0.9, 10.0.0.8"];
        assert_eq!(client(&trusted, "10.0.0.1", &within), "10.0.0.9");
    }

    // An empty variable, as files for containers have it, kept the server from starting.
    #[test]
    fn an_empty_setting_trusts_nobody() {
        let read = |text: &str| text.parse::<TrustedProxies>().map(|read| read.0.len());
        assert_eq!([read("").ok(), read(" , ").ok()], [Some(0); 2]);
        assert_eq!(read("10.0.0.0/8, ::1,").ok(), Some(2));
        assert!(read("10.0.0.0/8,proxy").is_err());
    }

    #[test]
    fn networks_hold_what_begins_alike() {
        let holds = |network: &str, address: &str| {
            let network: Network = network.parse().unwrap();
            network.contains(address.parse().unwrap())
        };
        assert!(holds("192.0.2.128/25", "192.0.2.200"));
        assert!(!holds("192.0.2.128/25", "192.0.2.100"));
        assert!(holds("0.0.0.0/0", "8.8.8.8") && !holds("0.0.0.0/0", "::1"));
        assert!(holds("::/0", "2001:db8::1"));
        assert!(holds("2001:db8::/32", "2001:db8:1::1"));
        assert!(!holds("192.0.2.1", "192.0.2.2"));
        for wrong in [
            "",
            "10.0.0.0/33",
            "::/129",
            "proxy",
            "10.0.0.0/",
            "10.0.0.0/-1",
        ] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong}");
        }
    }
}
