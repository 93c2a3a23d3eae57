import { expect, it } from '@jest/globals';
import { createFetchDocument } from './client-documents.ts';

it('asks one host for two documents at a time, lets eight wait, and refuses more, whatever another host does', async () => {
  const asked: string[] = [];
  const fetchDocument = createFetchDocument({
    resolve: (host) => {
      asked.push(host);
      return new Promise(() => undefined);
    },
    isRouted: () => false,
  });
  const refusals: string[] = [];
  const ask = (url: string) => void fetchDocument(url).catch(({ message }: Error) => refusals.push(message));
  for (let n = 0; n < 20; n++) ask(`https://slow.example.com/${n}`);
  ask('https://other.example.com/client.json');
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual(['slow.example.com', 'slow.example.com', 'other.example.com']);
  expect(refusals).toEqual(Array.from({ length: 10 }, () => 'too many documents of this host are asked for'));
});
