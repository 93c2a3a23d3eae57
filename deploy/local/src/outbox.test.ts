import { afterEach, describe, expect, it } from '@jest/globals';
import { createOutbox } from './outbox.ts';
import { openOutboxPage } from './outbox-page.ts';

const mail = (text: string) => ({ from: 'a@x.example', to: ['b@x.example'], raw: Buffer.from(text) });

describe('the outbox', () => {
  it('forgets the oldest where there are too many mails or too many bytes', () => {
    const few = createOutbox({ mails: 2 });
    for (const text of ['one', 'two', 'three']) few.add(mail(text));
    expect(few.list().map(({ id }) => id)).toEqual(['2', '3']);
    const small = createOutbox({ bytes: 10 });
    for (const text of ['12345', '67890', 'abcdef']) small.add(mail(text));
    expect(small.list().map(({ raw }) => raw.toString())).toEqual(['abcdef']);
  });
});

describe('the page of the outbox', () => {
  let page: Awaited<ReturnType<typeof openOutboxPage>>;
  afterEach(() => page.close());

  it('lists what was sent as JSON, and shows it to people as text whatever it holds', async () => {
    const outbox = createOutbox();
    outbox.add({ ...mail('Subject: <script>alert(1)</script>\r\n\r\nü'), to: ['"<img src=x>"@x.example'] });
    page = await openOutboxPage(outbox, '127.0.0.1', 0);
    expect(await (await fetch(page.url)).json()).toEqual([
      {
        id: '1',
        from: 'a@x.example',
        to: ['"<img src=x>"@x.example'],
        raw: 'Subject: <script>alert(1)</script>\r\n\r\nü',
      },
    ]);
    const shown = await fetch(new URL('.', page.url));
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await shown.text()).not.toMatch(/<script|<img/);
    expect((await fetch(new URL('other', page.url))).status).toBe(404);
  });
});
