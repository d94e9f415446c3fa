-- expand: columns with defaults. The version before neither shows nor changes them, and lets nothing expire.
-- How long an organization keeps personal data. Null is for ever, so nothing expires by upgrading. A shorter
-- period is pending for a day, in which the periods that hold until then are known.
ALTER TABLE organizations
  ADD COLUMN privacy jsonb NOT NULL DEFAULT '{"member_days": null, "access_days": null, "access_delete_days": null, "other_days": null, "device_days": null, "member_export": false}',
  ADD COLUMN privacy_pending jsonb;

-- Shortenings that are about to take effect, over all organizations.
CREATE INDEX organizations_privacy_pending ON organizations ((privacy_pending->>'takes_effect_at')) WHERE privacy_pending IS NOT NULL;
