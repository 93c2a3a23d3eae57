import { expect, it } from '@jest/globals';
import { idIn } from './rest-call.ts';

it.each([
  ['eml_1', 'eml_1'],
  ['a/../../labels?x=1#y', 'a%2F..%2F..%2Flabels%3Fx%3D1%23y'],
  ['.', 'unknown'],
  ['..', 'unknown'],
  ['\ud800', 'unknown'],
])('the id %j is one part of a path: %s', (emailId, part) => {
  expect(idIn({ emailId }, 'emailId')).toBe(part);
});
