import { describe, expect, it } from 'vitest';
import { Problem } from '../../platform/problem/index.ts';
import { checkService } from './check-service.ts';

const service = { id: 's1', name: 'Walking group', status: 'active' };

function refusalOf(body: unknown): unknown {
  try {
    return checkService(body);
  } catch (error) {
    return error instanceof Problem ? error.errors?.map(({ pointer }) => pointer) : error;
  }
}

describe('a service that somebody sends', () => {
  it('is refused for any invalid part, with pointers', () => {
    const given = { ...service, phones: [{}], minimum_age: '18', x: 'a\0b' };
    expect(refusalOf(given)).toEqual(['/minimum_age', '/phones/0/number']);
    expect(refusalOf({ ...service, x: 'a\0b' })).toEqual(['/x']);
    expect(refusalOf({ ...service, last_modified: 'soon' })).toEqual(['/last_modified']);
    expect(refusalOf({ ...service, name: 'a\0b' })).toEqual(['/name']);
    expect(refusalOf([service])).toEqual(['']);
  });

  it('loses its empty fields', () => {
    expect(refusalOf({ ...service, url: '', phones: [], email: null })).toEqual(service);
  });
});
