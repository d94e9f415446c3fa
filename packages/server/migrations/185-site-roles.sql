-- expand: columns that older processes leave empty.
-- A front desk or an installer. To processes that do not know these roles such a user is a viewer who has been signed out of the
-- organization for good (`signed_out_at` is infinite), so that nobody can see or do more there; the real time is in `duty_signed_out_at`.
ALTER TABLE organization_users ADD COLUMN duty text COLLATE "C" CHECK (duty IN ('front_desk', 'installer')),
  ADD COLUMN site_ids text[] COLLATE "C", ADD COLUMN duty_signed_out_at timestamptz;

-- The sites that the role of the invited is limited to; null: all of them. The role of an invitation may be one of the new ones,
-- which a process that does not know them cannot give: organization_users refuses it.
ALTER TABLE invitations ADD COLUMN site_ids text[] COLLATE "C", DROP CONSTRAINT invitations_role_check,
  ADD CONSTRAINT invitations_role_check CHECK (role IN ('owner', 'administrator', 'viewer', 'front_desk', 'installer')) NOT VALID;

-- The sites whose front desk created the member, or took it out of a group: it goes on seeing the member.
ALTER TABLE members ADD COLUMN desk_site_ids text[] COLLATE "C";
CREATE INDEX members_desk_site_ids ON members USING gin (organization_id, desk_site_ids) WHERE desk_site_ids IS NOT NULL;
