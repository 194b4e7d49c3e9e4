import { describe, expect, it } from 'vitest';
import { fileKind } from './file-kinds.ts';

describe('a file is known by its beginning', () => {
  it.each([
    ['\ufeff [{"id":1}]', 'services'],
    ['{"id":"a"}\n', 'services'],
    ['PK\x03\x04 and more', 'zip'],
    ['<!doctype html>', 'page'],
    ['ods_code,name,postcode,latitude,longitude\n', 'practices'],
    ['"ODS_Code";"Name"\n', 'practices'],
    ['postcode,latitude,longitude\n', 'postcodes'],
    ['pcd,pcd2,pcds,dointr,lat,long\n', 'postcodes'],
    ['id,organization_id,name,description\n', 'table'],
    ['id,service_id,number\n', 'table'],
    ['colour,size\n1,2\n', 'csv'],
    ['oops\n{"id":"a"}\n', undefined],
    ['', undefined],
  ])('%j is %s', (beginning, kind) => {
    expect(fileKind(Buffer.from(beginning, 'utf8'))).toBe(kind);
  });
});
