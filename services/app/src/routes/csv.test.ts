import { expect, it } from '@jest/globals';
import { csvLine } from './csv.ts';

it.each([
  [['a', 'b c'], 'a,b c\r\n'],
  [['a,b', 'say "hi"', 'two\nlines'], '"a,b","say ""hi""","two\nlines"\r\n'],
  [['=1+1', '+1', '-1', '@x', '\tx'], "'=1+1,'+1,'-1,'@x,'\tx\r\n"],
  [['Ann;=1+1', 'a\n@x', '  =1+1', '＝1+1'], '"Ann;\'=1+1","a\n\'@x",\'  =1+1,\'＝1+1\r\n'],
  [['a-b@c.example', 'Re: 1+1=2'], 'a-b@c.example,Re: 1+1=2\r\n'],
  [[''], '\r\n'],
])('%j is the line %j', (cells, line) => {
  expect(csvLine(cells)).toBe(line);
});
