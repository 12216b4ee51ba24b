use super::*;

fn saying(comment: &str) -> Annotation {
    Annotation {
        comment: comment.into(),
        ..Annotation::default()
    }
}

fn changed(queue: &mut Queue, comment: &str) {
    queue.change(saying(comment), comment.into());
}

#[test]
fn one_request_at_a_time_and_the_latest_document_follows() {
    let mut queue = Queue::new(3);
    changed(&mut queue, "a");
    let call = queue.next_call().unwrap();
    assert_eq!(
        (call.draft.base_version, call.draft.save_id.as_str()),
        (3, "a")
    );
    changed(&mut queue, "b");
    changed(&mut queue, "c");
    assert_eq!(queue.next_call(), None);
    assert_eq!(queue.answered(Answer::Saved(4)), Next::Again);
    let call = queue.next_call().unwrap();
    assert_eq!(
        (call.draft.base_version, call.draft.save_id.as_str()),
        (4, "c")
    );
    assert_eq!(queue.answered(Answer::Saved(5)), Next::Rest);
    assert!(queue.is_clean() && queue.draft().is_none());
}

// Fault row 2 (label-studio #1101): a lost answer is asked for again under the same identity.
#[test]
fn a_retry_carries_the_same_identity_and_waits_longer_each_time() {
    let mut queue = Queue::new(0);
    changed(&mut queue, "a");
    let first = queue.next_call().unwrap();
    assert_eq!(queue.answered(Answer::NoAnswer), Next::Later(1000));
    let second = queue.next_call().unwrap();
    assert_eq!(
        (&first.draft.save_id, first.draft.base_version),
        (&second.draft.save_id, second.draft.base_version)
    );
    assert_eq!(queue.answered(Answer::NoAnswer), Next::Later(2000));
    assert!(!queue.is_clean());
    assert_eq!((delay(5), delay(6), delay(60)), (16_000, 30_000, 30_000));
}

#[test]
fn our_own_lost_save_is_no_conflict() {
    let mut queue = Queue::new(3);
    changed(&mut queue, "a");
    queue.next_call();
    queue.answered(Answer::NoAnswer);
    changed(&mut queue, "ab");
    queue.next_call();
    assert_eq!(
        queue.answered(Answer::Conflict(4, Box::new(saying("a")))),
        Next::Again
    );
    let call = queue.next_call().unwrap();
    assert_eq!(
        (call.draft.base_version, call.draft.save_id.as_str()),
        (4, "ab")
    );
}

#[test]
fn it_is_still_no_conflict_after_the_page_was_loaded_again() {
    let mut queue = Queue::new(3);
    changed(&mut queue, "a");
    queue.next_call();
    changed(&mut queue, "ab");
    let left = queue.draft().unwrap();
    let mut again = Queue::new(4);
    again.restore(left);
    again.next_call();
    assert_eq!(
        again.answered(Answer::Conflict(4, Box::new(saying("a")))),
        Next::Again
    );
}

// Fault rows 15 and 16: nothing is replaced until the person chooses.
#[test]
fn a_conflict_stops_saving_until_one_version_is_chosen() {
    let conflict = || {
        let mut queue = Queue::new(3);
        changed(&mut queue, "mine");
        queue.next_call();
        assert_eq!(
            queue.answered(Answer::Conflict(7, Box::new(saying("theirs")))),
            Next::Choose
        );
        assert_eq!(queue.next_call(), None);
        queue
    };
    let mut kept = conflict();
    kept.keep_mine("again".into());
    let call = kept.next_call().unwrap();
    assert_eq!(
        (
            call.draft.base_version,
            call.draft.annotation,
            call.draft.save_id
        ),
        (7, saying("mine"), "again".into())
    );
    let mut taken = conflict();
    assert_eq!(taken.take_theirs(), Some(saying("theirs")));
    assert!(taken.is_clean() && taken.next_call().is_none());
}

// Fault row 20 (label-studio-frontend PR #1124): a double click is one submission.
#[test]
fn submitting_twice_is_submitting_once() {
    let mut queue = Queue::new(1);
    assert!(queue.submit(saying("a"), "s1".into()));
    assert!(!queue.submit(saying("a"), "s2".into()));
    let call = queue.next_call().unwrap();
    assert!(call.submit && call.draft.save_id == "s1");
    assert!(queue.next_call().is_none());
    assert_eq!(
        queue.answered(Answer::Submitted(Some("n".into()))),
        Next::Go(Some("n".into()))
    );
}

#[test]
fn a_submission_waits_for_the_save_under_way() {
    let mut queue = Queue::new(1);
    changed(&mut queue, "a");
    queue.next_call();
    assert!(queue.submit(saying("a"), "s".into()));
    assert!(queue.next_call().is_none());
    assert_eq!(queue.answered(Answer::Saved(2)), Next::Again);
    let call = queue.next_call().unwrap();
    assert!(call.submit);
    assert_eq!(call.draft.base_version, 2);
}

// Fault rows 1 and 2: what was pressed without a network happens when it is back, once.
#[test]
fn a_submission_without_an_answer_is_asked_for_again_as_it_was() {
    let mut queue = Queue::new(1);
    queue.submit(saying("a"), "s".into());
    let first = queue.next_call();
    assert_eq!(queue.answered(Answer::NoAnswer), Next::Later(1000));
    assert!(queue.is_submitting());
    assert!(!queue.submit(saying("a"), "s2".into()));
    let again = queue.next_call().unwrap();
    assert!(again.submit);
    assert_eq!(again.draft.save_id, first.unwrap().draft.save_id);
}

#[test]
fn a_change_takes_back_a_submission_that_has_not_arrived() {
    let mut waiting = Queue::new(1);
    waiting.submit(saying("a"), "s".into());
    waiting.next_call();
    waiting.answered(Answer::NoAnswer);
    changed(&mut waiting, "ab");
    assert!(!waiting.is_submitting());
    assert!(!waiting.next_call().unwrap().submit);
    let mut under_way = Queue::new(1);
    under_way.submit(saying("a"), "s".into());
    under_way.next_call();
    changed(&mut under_way, "ab");
    assert!(under_way.is_submitting(), "it may have arrived");
    under_way.answered(Answer::NoAnswer);
    assert!(!under_way.next_call().unwrap().submit);
}

#[test]
fn an_incomplete_submission_is_a_saved_draft() {
    let mut queue = Queue::new(1);
    queue.submit(saying("a"), "s".into());
    queue.next_call();
    assert_eq!(queue.answered(Answer::Incomplete(2)), Next::Gaps);
    assert!(queue.is_clean() && !queue.is_submitting());
}

// Fault rows 8 and 10: a lost session keeps the draft and fakes no success.
#[test]
fn a_lost_session_keeps_the_draft() {
    let mut queue = Queue::new(1);
    changed(&mut queue, "a");
    queue.next_call();
    assert_eq!(queue.answered(Answer::SignedOut), Next::SignIn);
    assert_eq!(queue.next_call(), None);
    assert_eq!(
        queue.draft().map(|draft| draft.annotation),
        Some(saying("a"))
    );
}

#[test]
fn replies_are_read_by_status_and_code() {
    let read = |submit, status, body: &str| Answer::read(submit, status, body);
    assert_eq!(
        read(false, 200, r#"{"version":4,"saved_at":1,"gaps":[]}"#),
        Answer::Saved(4)
    );
    assert_eq!(
        read(true, 200, r#"{"version":5,"submitted_at":1,"next":null}"#),
        Answer::Submitted(None)
    );
    assert_eq!(
        read(
            true,
            422,
            r#"{"error":{"code":"incomplete","message":"m"},"version":5,"gaps":[{"gap":"missed"}]}"#
        ),
        Answer::Incomplete(5)
    );
    assert_eq!(
        read(
            false,
            409,
            r#"{"error":{"code":"conflict"},"current":{"version":9,"annotation":{"comment":"x"}}}"#
        ),
        Answer::Conflict(9, Box::new(saying("x")))
    );
    assert_eq!(
        read(false, 409, r#"{"error":{"code":"assignment_closed"}}"#),
        Answer::Closed
    );
    assert_eq!(
        read(
            false,
            422,
            r#"{"error":{"code":"text_too_long","message":"Too long."}}"#
        ),
        Answer::Refused("Too long.".into())
    );
    assert_eq!(read(false, 401, ""), Answer::SignedOut);
    assert_eq!(
        (read(false, 502, "<html>"), read(false, 200, "<html>")),
        (Answer::NoAnswer, Answer::NoAnswer)
    );
}
