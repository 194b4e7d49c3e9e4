import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'sdk', 'README.md'), 'utf8');
const { components } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));

describe('the README of the client', () => {
  it('lists every type of event, and no other', () => {
    const [, table] = /^\| about \| types \|\n(.*?)^$/ms.exec(readme)!;
    let about = '';
    const listed = [...table!.matchAll(/`([a-z]*)\.([a-z-]+)`/g)].map(([, noun, what]) => {
      about = noun || about;
      return `${about}.${what}`;
    });
    const [{ enum: types }] = components.schemas.EventType.anyOf;
    expect(listed.toSorted()).toEqual(types.toSorted());
  });

  it('shows an event with all its fields', () => {
    const [, json] = /```json\n(.*?)```/s.exec(readme)!;
    const { properties } = components.schemas.Event;
    const event = JSON.parse(json!);
    expect(Object.keys(event)).toEqual(Object.keys(properties));
    expect(Object.keys(event.resource)).toEqual(Object.keys(properties.resource.properties));
  });
});
