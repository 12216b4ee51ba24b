//! A study whose scheme asks for points.

use crate::world::World;
use domain::id::ItemId;
use serde_json::json;
use service::import::{ImportOptions, ImportSource};
use service::item::{ItemFilter, ItemPage};
use service::study::SchemeSource;
use service::{Actor, import, item, study};
use std::io::Cursor;

impl World {
    /// The one item of a new study that asks for points, with everybody a member as in the study of this world.
    pub async fn item_with_points(&self) -> ItemId {
        let operator = Actor::operator();
        let source = SchemeSource::Builtin("psrs-main-results".to_owned());
        let study = study::create(&self.app, &operator, &self.app.id(), source)
            .await
            .unwrap();
        self.people_join(&study).await;
        let line = json!({"key": "s-1", "vignette": "An abstract.", "trace": "A statement."});
        let file = ImportSource::Reader(Box::new(Cursor::new(line.to_string())));
        let options = ImportOptions::default();
        import::run(&self.app, &operator, &study, file, "file", options, &|_| {})
            .await
            .unwrap();
        let (filter, page) = (ItemFilter::default(), ItemPage::default());
        let items = item::list(&self.app, &operator, &study, filter, page).await;
        items.unwrap().rows.remove(0).id
    }
}
