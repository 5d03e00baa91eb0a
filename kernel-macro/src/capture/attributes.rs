//! Attributes inside a body.

use super::Capture;
use syn::visit::Visit;
use syn::{Attribute, Block};

/// Attributes that change nothing that kernels know of.
const HARMLESS: &[&str] =
    &["allow", "warn", "deny", "forbid", "expect", "doc", "rustfmt", "clippy", "must_use"];

impl Capture<'_> {
    /// `#[cfg]` is not yet evaluated when an attribute macro sees a body; other attributes may change what it means.
    pub(super) fn refuse_attributes(&mut self, block: &Block) {
        AttributeWalk { capture: self }.visit_block(block);
    }
}

struct AttributeWalk<'c, 'a> {
    capture: &'c mut Capture<'a>,
}

impl<'ast> Visit<'ast> for AttributeWalk<'_, '_> {
    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let name = attribute.path().segments.first().map(|s| s.ident.to_string()).unwrap_or_default();
        if HARMLESS.contains(&name.as_str()) {
            return;
        }
        let message = match name.as_str() {
            "cfg" | "cfg_attr" => {
                "`#[cfg]` inside a kernel can't be seen through: write `if cfg!(…)`, or put it on the function"
            }
            _ => "this attribute means nothing to kernels: remove it, or put it on the function",
        };
        self.capture.error_at(attribute, message);
    }

    // What stands in an item is the item's own.
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
