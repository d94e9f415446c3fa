-- Whether decisions or devices may have to know: copies of the policy read again what such events name. Writers say false only of
-- edits that they know to touch nothing of it, so whoever inserts events without a word stays on the safe side.
ALTER TABLE events ADD COLUMN touches_policy boolean NOT NULL DEFAULT true;
