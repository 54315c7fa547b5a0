use egui::*;
#[derive(Default)] pub struct Messages { pub open: bool }
#[derive(Clone,Copy)] pub enum Level { Info, Warning, Error }
impl Messages { pub fn info(&mut self,_s:impl Into<String>,_d:impl Into<String>){} pub fn warning(&mut self,_s:impl Into<String>,_d:impl Into<String>){} pub fn error(&mut self,s:impl Into<String>,d:impl Into<String>){ eprintln!("{} {}",s.into(),d.into()) } pub fn worst_unseen(&self)->Option<Level>{None} pub fn unseen(&self)->usize{0} pub fn push(&mut self, _l: Level, _s: impl Into<String>, _d: impl Into<String>) {} }
pub fn messages_ui(_c:&Context,_m:&mut Messages,_r:Rect){}
