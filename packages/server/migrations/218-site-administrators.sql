-- expand: two more roles, which processes that do not know them refuse: see 185.
-- A site administrator does what front desks and installers do, a site viewer sees what they see.
ALTER TABLE organization_users DROP CONSTRAINT organization_users_duty_check,
  ADD CONSTRAINT organization_users_duty_check CHECK (duty IN ('front_desk', 'installer', 'site_administrator', 'site_viewer')) NOT VALID;
ALTER TABLE invitations DROP CONSTRAINT invitations_role_check, ADD CONSTRAINT invitations_role_check
  CHECK (role IN ('owner', 'administrator', 'viewer', 'front_desk', 'installer', 'site_administrator', 'site_viewer')) NOT VALID;
