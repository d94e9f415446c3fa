-- expand: a table that older processes do not know. Of a tag that such a process deletes, nobody knows what had it.
-- What had a tag when it was deleted, so that it gets the tag back when that is restored.
CREATE TABLE tag_holders (
  organization_id text COLLATE "C" NOT NULL,
  tag_id text COLLATE "C" NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, tag_id, object_id)
);
CREATE INDEX tag_holders_object_id ON tag_holders (organization_id, object_id);
