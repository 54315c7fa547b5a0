//! Search for actions by typed text, for the command palette.

use super::{Action, Menu};

/// An action that matches a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchHit {
    pub action: Action,
    /// The location in the menus: "Pose", or "Pose > Limits".
    pub menu_path: String,
}

/// The quality of a match, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The query is the action's text.
    Exact,
    /// The text begins with the query.
    Prefix,
    /// Each word of the query begins a word of the text.
    WordPrefixes,
    /// The query is one of the action's keywords, or begins one.
    Keyword,
    /// Each word of the query begins a word of the text or of the menu path: "add camera".
    PathPrefixes,
    /// Each word of the query occurs in the text.
    Substrings,
    /// Each word occurs in the text, the menu path, the tooltip or the keywords.
    Anywhere,
    /// The letters of the query occur in the text in their order: "miwe" for "Mirror weights".
    Subsequence,
}

/// Returns all actions that match `query`, best first. Among equal matches, `recent` actions come first, in
/// their given order (latest first). An empty query matches all actions.
pub fn search(query: &str, recent: &[Action]) -> Vec<SearchHit> {
    let query = query.trim().to_lowercase();
    let mut found: Vec<_> = Menu::ALL
        .iter()
        .flat_map(|menu| menu.actions.iter().map(move |action| (*action, menu_path(menu, *action))))
        .filter_map(|(action, menu_path)| {
            let fit = fit(&query, action, &menu_path)?;
            let recency = recent.iter().position(|other| *other == action);
            Some(((fit, recency.unwrap_or(recent.len())), SearchHit { action, menu_path }))
        })
        .collect();
    // The sort is stable: equal matches stay in menu order.
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, found)| found).collect()
}

fn menu_path(menu: &Menu, action: Action) -> String {
    match action.submenu {
        Some(submenu) => format!("{} > {submenu}", menu.text),
        None => menu.text.to_owned(),
    }
}

fn fit(query: &str, action: Action, menu_path: &str) -> Option<Fit> {
    let name = action.name().to_lowercase();
    if name == query {
        return Some(Fit::Exact);
    }
    if name.starts_with(query) {
        return Some(Fit::Prefix);
    }
    let all = |matches: &dyn Fn(&str) -> bool| query.split_whitespace().all(matches);
    let path = menu_path.to_lowercase();
    let begins = |text: &str, word: &str| text.split([' ', '-', '/']).any(|part| part.starts_with(word));
    if all(&|word| begins(&name, word)) {
        return Some(Fit::WordPrefixes);
    }
    let keywords = action.keywords.to_lowercase();
    if !query.is_empty() && keywords.split(", ").any(|keyword| keyword.starts_with(query)) {
        return Some(Fit::Keyword);
    }
    if all(&|word| begins(&name, word) || begins(&path, word)) {
        return Some(Fit::PathPrefixes);
    }
    if all(&|word| name.contains(word)) {
        return Some(Fit::Substrings);
    }
    let all_text = format!("{name} {path} {} {keywords}", action.tooltip.to_lowercase());
    if all(&|word| all_text.contains(word)) {
        return Some(Fit::Anywhere);
    }
    let mut letters = name.chars();
    let in_order = |letter: char| letters.any(|candidate| candidate == letter);
    query.chars().filter(|letter| !letter.is_whitespace()).all(in_order).then_some(Fit::Subsequence)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(query: &str, recent: &[Action]) -> Option<Action> {
        search(query, recent).first().map(|hit| hit.action)
    }

    #[test]
    fn every_action_is_found_by_its_text_and_by_words_of_it_in_any_order() {
        assert_eq!(search("", &[]).len(), Action::all().count());
        for action in Action::all() {
            let is_named = |hit: &SearchHit| hit.action.name() == action.name();
            assert!(search(action.name(), &[]).first().is_some_and(is_named), "{action:?}");
            let words: Vec<_> = action.name().split(' ').rev().collect();
            let backwards = search(&words.join(" ").to_uppercase(), &[]);
            assert!(backwards.iter().any(|hit| hit.action == action), "{action:?}");
        }
    }

    #[test]
    fn prefixes_come_first_then_words_then_letters() {
        assert_eq!(first("undo", &[]), Some(Action::UNDO));
        assert_eq!(first("pose past", &[]), Some(Action::PASTE_POSE));
        assert_eq!(first("kbdshort", &[]), Some(Action::SHOW_KEYS));
        assert!(search("no such thing at all", &[]).is_empty());
    }

    #[test]
    fn actions_are_found_by_their_keywords() {
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
            ("mirror", Action::MIRROR),
            ("full body", Action::ADD_BODY_IK),
            ("squat", Action::ADD_BODY_IK),
            ("crouch", Action::ADD_BODY_IK),
            ("add camera", Action::ADD_CAMERA),
            ("cube", Action::ADD_BOX),
            ("ball", Action::ADD_SPHERE),
            ("ground", Action::ADD_PLANE),
        ] {
            assert_eq!(first(query, &[]), Some(action), "{query}");
        }
    }

    #[test]
    fn recent_actions_come_before_equal_matches() {
        let recent = [Action::PASTE_POSE, Action::UNDO];
        let firsts: Vec<_> = search("", &recent).into_iter().take(2).map(|hit| hit.action).collect();
        assert_eq!(firsts, recent);
        assert_eq!(first("redo", &recent), Some(Action::REDO));
    }
}
