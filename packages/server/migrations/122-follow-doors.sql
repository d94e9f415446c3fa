-- expand: columns that the version before neither reads nor writes, and the cursor of a new consumer.
-- What a virtual device remembers of its doors, and when one of them turns next.
ALTER TABLE virtual_devices ADD COLUMN doors jsonb, ADD COLUMN turns_at timestamptz;
CREATE INDEX virtual_devices_turns_at ON virtual_devices (turns_at) WHERE turns_at IS NOT NULL;

-- Who comes first or leaves last is noticed from now on, not in the whole history of an installation.
INSERT INTO feed_cursors (consumer, position, updated_at)
  SELECT 'doors', coalesce((SELECT epoch || '.' || transaction_id || '.' || sequence FROM events
    ORDER BY epoch DESC, transaction_id DESC, sequence DESC LIMIT 1), '0.0.0'), now();
