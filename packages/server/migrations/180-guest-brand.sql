-- expand: columns that the version before neither reads nor writes. What guests see of their host.
-- The hash says which logo a phone holds. A logo that an older process sets has none, and phones do not show it.
ALTER TABLE organizations ADD COLUMN color text COLLATE "C", ADD COLUMN logo_hash text COLLATE "C";
UPDATE organizations SET logo_hash = encode(sha256(logo), 'hex') WHERE logo IS NOT NULL;

-- How guests get in on the day they arrive.
ALTER TABLE sites ADD COLUMN check_in text COLLATE "C";
