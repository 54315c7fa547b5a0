//! Actions found by what a person types, for the command palette.

use super::{Action, Menu};

/// An action, and where it stands in the menus: "Pose", or "Pose > Limits".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub action: Action,
    pub place: String,
}

/// How well words suit an action; the least is best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// They are its text.
    Whole,
    /// Its text begins with them.
    Start,
    /// Each begins a word of its text.
    Words,
    /// They are something else that people call it, or begin that.
    Called,
    /// Each stands somewhere in its text.
    Within,
    /// Each stands in its text, its menus, its tooltip or what else people call it.
    About,
    /// The letters of all of them stand in its text, in their order: "miwe" for "Mirror weights".
    Letters,
}

/// All actions that suit `query`, the best first; `recent` ones, the last one used first, come before others that suit
/// it as well. An empty query suits all.
pub fn search(query: &str, recent: &[Action]) -> Vec<Found> {
    let query = query.trim().to_lowercase();
    let mut found: Vec<_> = Menu::ALL
        .iter()
        .flat_map(|menu| {
            menu.actions
                .iter()
                .map(move |action| (*action, place(menu, *action)))
        })
        .filter_map(|(action, place)| {
            let fit = fit(&query, action, &place)?;
            let used = recent.iter().position(|other| *other == action);
            Some(((fit, used.unwrap_or(recent.len())), Found { action, place }))
        })
        .collect();
    // Of equals, the order of the menus stays.
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, found)| found).collect()
}

fn place(menu: &Menu, action: Action) -> String {
    match action.submenu {
        Some(submenu) => format!("{} > {submenu}", menu.text),
        None => menu.text.to_owned(),
    }
}

fn fit(query: &str, action: Action, place: &str) -> Option<Fit> {
    let name = action.name().to_lowercase();
    if name == query {
        return Some(Fit::Whole);
    }
    if name.starts_with(query) {
        return Some(Fit::Start);
    }
    let all = |suits: &dyn Fn(&str) -> bool| query.split_whitespace().all(suits);
    let begins = |word: &str| {
        name.split([' ', '-', '/'])
            .any(|of_name| of_name.starts_with(word))
    };
    if all(&begins) {
        return Some(Fit::Words);
    }
    let words = action.words.to_lowercase();
    if !query.is_empty() && words.split(", ").any(|called| called.starts_with(query)) {
        return Some(Fit::Called);
    }
    if all(&|word| name.contains(word)) {
        return Some(Fit::Within);
    }
    let about = format!(
        "{name} {} {} {words}",
        place.to_lowercase(),
        action.tooltip.to_lowercase()
    );
    if all(&|word| about.contains(word)) {
        return Some(Fit::About);
    }
    let mut letters = name.chars();
    let in_order = |letter: char| letters.any(|of_name| of_name == letter);
    query
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .all(in_order)
        .then_some(Fit::Letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(query: &str, recent: &[Action]) -> Option<Action> {
        search(query, recent).first().map(|found| found.action)
    }

    #[test]
    fn every_action_is_found_by_its_text_and_by_words_of_it_in_any_order() {
        assert_eq!(search("", &[]).len(), Action::all().count());
        for action in Action::all() {
            let same = |found: &Found| found.action.name() == action.name();
            assert!(search(action.name(), &[]).first().is_some_and(same), "{action:?}");
            let words: Vec<_> = action.name().split(' ').rev().collect();
            let backwards = search(&words.join(" ").to_uppercase(), &[]);
            assert!(backwards.iter().any(|found| found.action == action), "{action:?}");
        }
    }

    #[test]
    fn what_begins_so_comes_first_then_words_then_letters() {
        assert_eq!(first("undo", &[]), Some(Action::UNDO));
        assert_eq!(first("pose past", &[]), Some(Action::PASTE_POSE));
        assert_eq!(first("kbdshort", &[]), Some(Action::SHOW_KEYS));
        assert!(search("no such thing at all", &[]).is_empty());
    }

    #[test]
    fn actions_are_found_by_what_else_people_call_them() {
        for (query, action) in [
            ("look-at", Action::LOOK_AT),
            ("look at", Action::LOOK_AT),
            ("aim", Action::LOOK_AT),
            ("Track to", Action::LOOK_AT),
            ("pole", Action::ADD_LIMB_IK),
            ("pin", Action::PIN),
            ("fk", Action::SWITCH_FK_IK),
            ("tween", Action::TWEEN),
            ("breakdown", Action::TWEEN),
            ("ghost", Action::TOGGLE_ONION),
            ("onion", Action::TOGGLE_ONION),
            ("mirror pose", Action::PASTE_MIRRORED_POSE),
            ("mirror", Action::MIRROR_X),
            ("full body", Action::ADD_BODY_IK),
            ("squat", Action::ADD_BODY_IK),
            ("crouch", Action::ADD_BODY_IK),
        ] {
            assert_eq!(first(query, &[]), Some(action), "{query}");
        }
    }

    #[test]
    fn recent_ones_come_before_others_that_suit_as_well() {
        let recent = [Action::PASTE_POSE, Action::UNDO];
        let firsts: Vec<_> = search("", &recent)
            .into_iter()
            .take(2)
            .map(|found| found.action)
            .collect();
        assert_eq!(firsts, recent);
        assert_eq!(first("redo", &recent), Some(Action::REDO));
    }
}
