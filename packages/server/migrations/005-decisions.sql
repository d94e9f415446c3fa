ALTER TABLE gadgets ADD COLUMN last_action_at timestamptz;
ALTER TABLE member_emails ADD COLUMN last_used_at timestamptz;
ALTER TABLE member_magic_links ADD COLUMN last_used_at timestamptz;
ALTER TABLE member_pins ADD COLUMN last_used_at timestamptz;
ALTER TABLE member_cards ADD COLUMN last_used_at timestamptz;
ALTER TABLE member_tokens ADD COLUMN last_used_at timestamptz;

-- Why access was denied, as it was explained at that moment.
ALTER TABLE events ADD COLUMN explanation jsonb;
