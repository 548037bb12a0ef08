"""The statements of the log of runs, the same on both engines."""

from __future__ import annotations

_RUN = """r.id, r.account_id, r.thread_id, r.run_id, r.fingerprint, r.status, r.attempt, r.call_id, r.created_ms,
    r.finished_ms, r.last_seq, r.attempt_seq, r.held, r.deducted, r.asks, r.derived, r.state, r.error_code,
    r.error_message, r.purged"""
_OF_NAME = "r.account_id = :account_id AND r.thread_id = :thread_id AND r.run_id = :run_id"
FIND = f"SELECT {_RUN} FROM runs r WHERE {_OF_NAME}"
FIND_BY_CALL = f"SELECT {_RUN} FROM runs r WHERE r.call_id = :call_id AND r.status = 'running'"
RUNNING = """SELECT run_id FROM runs
    WHERE account_id = :account_id AND thread_id = :thread_id AND status = 'running'"""
THREAD = """SELECT t.derivation_id, d.payload, d.divination, d.analysis, t.first_run, t.timezone, t.created_ms
    FROM threads t JOIN derivations d ON d.id = t.derivation_id
    WHERE t.account_id = :account_id AND t.thread_id = :thread_id"""
NUMBER = """INSERT INTO histories (account_id, seq) VALUES (:account_id, 1)
    ON CONFLICT (account_id) DO UPDATE SET seq = histories.seq + 1 RETURNING seq"""

ADD_DERIVATION = """INSERT INTO derivations (id, account_id, payload, divination, analysis)
    VALUES (:id, :account_id, :payload, :divination, :analysis)"""
ADD_THREAD = """INSERT INTO threads (account_id, thread_id, derivation_id, first_run, timezone, created_ms)
    VALUES (:account_id, :thread_id, :derivation_id, :run_id, :timezone, :now_ms)"""
TIMEZONE = """UPDATE threads SET timezone = :timezone
    WHERE account_id = :account_id AND thread_id = :thread_id"""
ADD_RUN = """INSERT INTO runs (id, account_id, thread_id, run_id, fingerprint, status, attempt, call_id, created_ms,
        last_seq, attempt_seq, held, deducted, asks, derived, state, purged, derivation_id)
    VALUES (:id, :account_id, :thread_id, :run_id, :fingerprint, 'running', 1, :call_id, :now_ms,
        :last_seq, 1, :held, 0, :asks, :derived, :state, FALSE, :derivation_id)"""
RUN_AGAIN = """UPDATE runs SET status = 'running', attempt = attempt + 1, call_id = :call_id, finished_ms = NULL,
        last_seq = :last_seq, attempt_seq = :attempt_seq, held = :held, deducted = 0, asks = :asks, error_code = NULL,
        error_message = NULL, purged = FALSE, derivation_id = :derivation_id WHERE id = :id"""
END_RUN = """UPDATE runs SET status = :status, finished_ms = :now_ms, last_seq = :last_seq, deducted = :deducted,
        error_code = :error_code, error_message = :error_message
    WHERE id = :id AND status = 'running' AND call_id = :call_id RETURNING id"""
DEDUCTED = "UPDATE runs SET deducted = :cost WHERE id = :id"
ADD_EVENTS = (
    "INSERT INTO run_events (run, first_seq, last_seq, body) VALUES (:run, :first_seq, :last_seq, :body)"
)
ADD_MESSAGE = """INSERT INTO run_messages (account_id, seq, id, thread_id, run, role, content, ts_ms, output)
    VALUES (:account_id, :seq, :id, :thread_id, :run, :role, :content, :now_ms, :output)"""

EVENTS = "SELECT first_seq, body FROM run_events WHERE run = :run AND last_seq > :after ORDER BY first_seq"
DERIVATION = """SELECT d.payload, d.divination, d.analysis FROM runs r JOIN derivations d ON d.id = r.derivation_id
    WHERE r.id = :run"""
MESSAGES = """SELECT m.id, m.seq, m.thread_id, r.run_id, m.role, m.content, m.ts_ms, m.output, r.derivation_id
    FROM run_messages m JOIN runs r ON r.id = m.run WHERE m.account_id = :account_id{conditions}
    ORDER BY m.seq DESC LIMIT :limit"""
CONDITIONS = {
    "thread_id": " AND m.thread_id = :thread_id",
    "since_ms": " AND m.ts_ms >= :since_ms",
    "until_ms": " AND m.ts_ms < :until_ms",
    "before": " AND m.seq < :before",
}
CAST = "SELECT payload, divination, analysis FROM derivations WHERE id = :id"
OLD = """SELECT id FROM runs WHERE status <> 'running' AND NOT purged AND finished_ms < :older_than_ms"""
DROP_EVENTS = "DELETE FROM run_events WHERE run = :run"
PURGED = "UPDATE runs SET purged = TRUE WHERE id = :run AND status <> 'running'"
# What an account leaves behind, in the order in which the rows refer to each other.
FORGET = (
    "DELETE FROM run_events WHERE run IN (SELECT id FROM runs WHERE account_id = :account_id)",
    *(
        f"DELETE FROM {table} WHERE account_id = :account_id"
        for table in ("run_messages", "runs", "threads", "derivations", "histories")
    ),
)
