use egui::*; use crate::edit::view::View; use crate::edit::request::Request;
#[derive(Default)] pub struct Fields; impl Fields { pub fn dragging(&self)->bool{false} pub fn typing(&self)->bool{false} }
#[derive(Default)] pub struct SideState { pub fields: Fields }
pub fn side_ui(_u:&mut Ui,_v:&View,_s:&mut SideState,_o:&mut Vec<Request>){}
