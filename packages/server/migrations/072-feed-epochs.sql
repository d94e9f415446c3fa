-- An epoch is one life of the cluster's transaction ids. Commits that did not wait for the disk are lost in a crash, and
-- their ids are given out again: what was seen under an id before tells nothing about it afterwards. So every start of
-- PostgreSQL, every crash recovery, failover and restore begins another epoch, and events compare by (epoch, id).

-- All epochs there were. Transaction ids of the epoch before lie below `previous_end`; of the oldest nobody knows where they
-- ended. Which cluster and which of its timelines it was is noted for whoever has to find out what happened.
CREATE TABLE feed_epochs (
  epoch integer PRIMARY KEY,
  began_at timestamptz NOT NULL,
  previous_end xid8 NOT NULL,
  system_identifier bigint,
  timeline integer
);
INSERT INTO feed_epochs (epoch, began_at, previous_end)
  SELECT number, now(), '9223372036854775807'::xid8 FROM generate_series(1, feed_epoch()) AS number;

-- The epoch that runs. Recovery and promotion empty unlogged tables, also where the postmaster itself goes on, so no
-- crash gives this row back; another start of the postmaster makes it void, and so does another place: a copy of the
-- database in the same cluster, or a dump that was restored.
CREATE UNLOGGED TABLE feed_epoch_marker (
  epoch integer NOT NULL,
  postmaster_started_at timestamptz NOT NULL,
  place text COLLATE "C" NOT NULL
);
-- The epoch goes on for services of the version before. In a restored dump it does not: its ids may lie ahead of the cluster's.
INSERT INTO feed_epoch_marker
  SELECT feed_epoch(), pg_postmaster_start_time(), pg_relation_filepath('feed_epoch_marker') WHERE NOT EXISTS (
    SELECT FROM events WHERE epoch = feed_epoch() AND transaction_id >= pg_snapshot_xmax(pg_current_snapshot()));

CREATE OR REPLACE FUNCTION feed_epoch() RETURNS integer STABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
DECLARE
  running integer;
BEGIN
  IF pg_is_in_recovery() THEN
    RAISE EXCEPTION 'this PostgreSQL is a standby: Gatehouse works with the primary' USING ERRCODE = '25006';
  END IF;
  SELECT epoch INTO running FROM feed_epoch_marker
    WHERE postmaster_started_at = pg_postmaster_start_time() AND place = pg_relation_filepath('feed_epoch_marker');
  IF running IS NULL THEN
    RAISE EXCEPTION 'PostgreSQL was started, recovered or restored: a new epoch of the event feed has to begin'
      USING ERRCODE = 'GH001', HINT = 'SELECT begin_feed_epoch();';
  END IF;
  RETURN running;
END $$;

-- Where the ids of the last epoch ended: those that recovery found used, or all that had begun since where nobody may know.
CREATE FUNCTION end_of_feed_epoch(last integer) RETURNS xid8 LANGUAGE plpgsql AS $$
DECLARE
  reached xid8 := pg_snapshot_xmin(pg_current_snapshot());
  highest xid8;
  recovered bigint[];
BEGIN
  SELECT e.transaction_id INTO highest FROM events e WHERE e.epoch = last
    ORDER BY e.epoch DESC, e.transaction_id DESC, e.sequence DESC LIMIT 1;
  BEGIN
    recovered := string_to_array((pg_control_checkpoint()).next_xid, ':')::bigint[];
    reached := least(reached, (recovered[1] * 4294967296 + recovered[2])::text::xid8);
  EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_function THEN NULL;
  END;
  RETURN greatest(reached, (coalesce(highest::text::bigint, 0) + 1)::text::xid8);
END $$;

-- Begins an epoch unless one runs, and answers its number. No number is given twice, also not after a restore of an older
-- copy or a failover that lost the last ones: it is at least the seconds since the start of 2026.
CREATE FUNCTION begin_feed_epoch() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  running integer;
  last integer;
  cluster bigint;
  line integer;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('gatehouse feed epoch'));
  SELECT epoch INTO running FROM feed_epoch_marker
    WHERE postmaster_started_at = pg_postmaster_start_time() AND place = pg_relation_filepath('feed_epoch_marker');
  IF running IS NOT NULL THEN RETURN running; END IF;
  -- Where the row was lost without a crash, those who have read it may be about to commit.
  LOCK TABLE ONLY events IN SHARE ROW EXCLUSIVE MODE;
  IF current_setting('synchronous_commit') = 'off' THEN PERFORM set_config('synchronous_commit', 'on', true); END IF;
  last := greatest(0, (SELECT max(epoch) FROM feed_epochs), (SELECT max(epoch) FROM events));
  running := greatest(last + 1, floor(extract(epoch FROM clock_timestamp() - '2026-01-01 00:00:00+00'))::integer);
  BEGIN
    cluster := (pg_control_system()).system_identifier;
    line := ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer;
  EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_function THEN NULL;
  END;
  INSERT INTO feed_epochs (epoch, began_at, previous_end, system_identifier, timeline)
    VALUES (running, clock_timestamp(), end_of_feed_epoch(last), cluster, line);
  DELETE FROM feed_epoch_marker;
  INSERT INTO feed_epoch_marker VALUES (running, pg_postmaster_start_time(), pg_relation_filepath('feed_epoch_marker'));
  RETURN running;
END $$;
