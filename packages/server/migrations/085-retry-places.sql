-- How far a round of attempts has come in its schedule. Times cannot tell: jitter makes an attempt earlier than it was due.
ALTER TABLE webhook_deliveries ADD COLUMN round_place integer NOT NULL DEFAULT 0;
