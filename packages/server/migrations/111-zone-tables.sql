-- expand: a table of its own.
-- The last table known of each time zone that sites are in. A zone that the zone data of a later start no longer knows keeps it,
-- and a table that says the same as before keeps its release, so that devices are not sent what they have.
CREATE TABLE zone_tables (
  name text COLLATE "C" PRIMARY KEY,
  zone_table jsonb NOT NULL
);
