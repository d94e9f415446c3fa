CREATE INDEX events_filter_object_invitation_id ON events (organization_id, (object->>'invitation_id'), created_at, id) WHERE (object->>'invitation_id') IS NOT NULL;
