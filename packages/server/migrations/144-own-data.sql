-- expand: a column with a default, and an index. A process of the version before that sends letters beside this one sends an
-- invitation in the place of the new kind.
-- Members ask for what is held about them, and are told when it is ready.
-- invitation, data_export
ALTER TABLE guest_mails ADD COLUMN kind text COLLATE "C" NOT NULL DEFAULT 'invitation';

-- The jobs that a member has made.
CREATE INDEX jobs_of_member ON jobs (organization_id, (maker->'subject'->>'member_id'), created_at)
  WHERE (maker->'subject'->>'member_id') IS NOT NULL;
