-- expand: indexes only. Events written before have no changes, and the version before writes none.
-- Which fields an edit changed: what `object.changed_field` asks for. Of other events nothing is indexed.
CREATE INDEX events_filter_object_changed_field ON ONLY events USING gin (organization_id, jsonb_path_query_array(object, '$.changes[*].field') jsonb_path_ops) WHERE object ? 'changes';

-- The versions of one object. Uses and denials name gadgets, devices and sites too; these indexes hold only what is about the objects themselves.
CREATE INDEX events_history_member_id ON ONLY events (organization_id, (object->>'member_id'), created_at, id) WHERE (object->>'type') = 'member';
CREATE INDEX events_history_member_group_id ON ONLY events (organization_id, (object->>'member_group_id'), created_at, id) WHERE (object->>'type') = 'member_group';
CREATE INDEX events_history_schedule_id ON ONLY events (organization_id, (object->>'schedule_id'), created_at, id) WHERE (object->>'type') = 'schedule';
CREATE INDEX events_history_site_id ON ONLY events (organization_id, (object->>'site_id'), created_at, id) WHERE (object->>'type') = 'site';
CREATE INDEX events_history_device_id ON ONLY events (organization_id, (object->>'device_id'), created_at, id) WHERE (object->>'type') = 'device';
CREATE INDEX events_history_gadget_id ON ONLY events (organization_id, (object->>'gadget_id'), created_at, id) WHERE (object->>'type') = 'gadget';
