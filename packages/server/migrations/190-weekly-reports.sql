-- expand: a table that older processes do not know.
-- Users who want a report of the last week by mail, and when the next one is due. `attempts` counts the failed ones since the last.
CREATE TABLE weekly_reports (
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  zone text COLLATE "C" NOT NULL,
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES organization_users (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX weekly_reports_due_at ON weekly_reports (due_at);
