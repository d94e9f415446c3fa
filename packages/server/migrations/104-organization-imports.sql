-- expand: a table of its own.
-- Organizations that are being imported from another installation, or whose import was interrupted. Until the import is done
-- there is no row of organizations, so nobody reaches what was loaded; what an interrupted import has left is removed.
CREATE TABLE organization_imports (
  organization_id text COLLATE "C" PRIMARY KEY,
  began_at timestamptz NOT NULL
);
