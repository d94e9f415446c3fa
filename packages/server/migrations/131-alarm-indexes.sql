-- expand: only indexes.
-- Denials of one gadget or member are counted whenever there is another one: without reading all that happened there.
CREATE INDEX events_denials_of_gadget ON ONLY events (organization_id, (object->>'gadget_id'), created_at) WHERE (object->>'type') = 'access_denial' AND (object->>'gadget_id') IS NOT NULL;
CREATE INDEX events_denials_of_member ON ONLY events (organization_id, (subject->>'member_id'), created_at) WHERE (object->>'type') = 'access_denial' AND (subject->>'member_id') IS NOT NULL;
-- Whoever loses an account loses what could acknowledge in its name.
CREATE INDEX alarm_tokens_user_id ON alarm_tokens (user_id);
