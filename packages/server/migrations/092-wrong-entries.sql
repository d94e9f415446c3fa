-- PINs and cards that nobody has, at keypads and readers, by the hour.
CREATE TABLE wrong_entries (
  organization_id text COLLATE "C" NOT NULL,
  site_id text COLLATE "C" NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  method text COLLATE "C" NOT NULL,
  hour timestamptz NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (organization_id, site_id, method, hour, device_id)
);
CREATE INDEX wrong_entries_hour ON wrong_entries (hour);

-- Devices and sites where somebody guesses, so that each is told of once an hour.
CREATE TABLE guessing_alarms (
  organization_id text COLLATE "C" NOT NULL,
  place_id text COLLATE "C" NOT NULL,
  method text COLLATE "C" NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (organization_id, place_id, method)
);
CREATE INDEX guessing_alarms_until ON guessing_alarms (until);

-- Until then a wrong PIN at any keypad of the site pauses that keypad; controllers hear of it with their slice.
ALTER TABLE sites ADD COLUMN pins_alarmed_until timestamptz;
