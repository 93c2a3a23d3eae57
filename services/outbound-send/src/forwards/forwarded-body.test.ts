import { describe, expect, it } from '@jest/globals';
import { forwardedBody } from './forwarded-body.ts';
import { subjectOfForward } from '../compose/subjects.ts';

const email = {
  from: { email: 'zoe@far.example', name: 'Zoe <b>Far</b>' },
  to: [{ email: 'ann@acme.example', name: null }],
  cc: [{ email: 'cy@other.example', name: 'Cy' }],
  subject: 'Invoice <img src=x onerror="steal()"> & more',
  date: new Date('2026-03-01T12:00:00Z'),
};

describe('an email that is forwarded under its heading', () => {
  it('says whose it was, when, about what and to whom', () => {
    const { text, html } = forwardedBody(email, { html: null, text: 'please pay' });
    expect(html).toBeNull();
    expect(text).toBe(
      [
        '---------- Forwarded message ----------',
        'From: Zoe <b>Far</b> <zoe@far.example>',
        'Date: Sun, 01 Mar 2026 12:00:00 GMT',
        'Subject: Invoice <img src=x onerror="steal()"> & more',
        'To: ann@acme.example',
        'Cc: Cy <cy@other.example>',
        '',
        'please pay',
      ].join('\n'),
    );
  });

  it('puts no markup of a subject or a name into the page', () => {
    const { text, html } = forwardedBody(email, { html: '<p>please pay</p>', text: null });
    expect(text).toBeNull();
    expect(html).toContain('Subject: Invoice &lt;img src=x onerror=&quot;steal()&quot;&gt; &amp; more');
    expect(html).toContain('From: Zoe &lt;b&gt;Far&lt;/b&gt; &lt;zoe@far.example&gt;');
    expect(html).toMatch(/<p>please pay<\/p>$/);
  });

  it.each([
    ['Invoice', 'Fwd: Invoice'],
    ['Fwd: Invoice', 'Fwd: Invoice'],
    ['WG: Invoice', 'WG: Invoice'],
    ['Re: Invoice', 'Fwd: Re: Invoice'],
  ])('has the subject of "%s" as "%s"', (subject, forwarded) => {
    expect(subjectOfForward(subject)).toBe(forwarded);
  });
});
