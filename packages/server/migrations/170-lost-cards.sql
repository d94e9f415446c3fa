-- expand: columns with defaults. The version before neither shows nor changes them, and could give a lost card to a member.
-- Cards that nobody has any more: when that was reported, and how it came. They are kept, so that none is given to anybody by mistake.
ALTER TABLE cards ADD COLUMN is_lost boolean NOT NULL DEFAULT false, ADD COLUMN lost_at timestamptz, ADD COLUMN lost_reason text COLLATE "C";

CREATE INDEX cards_filter_is_lost ON cards (organization_id, is_deleted, is_lost, created_at, id);
