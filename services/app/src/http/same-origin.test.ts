import { describe, expect, it } from '@jest/globals';
import { originsOf, requireSameOrigin } from './same-origin.ts';
import { createSessionCookie } from './session-cookie.ts';

const HERE = 'https://mail.example.com';
const ask = (method: string, headers: Record<string, string>) => () =>
  requireSameOrigin(method, headers, originsOf(HERE));

describe('a request', () => {
  it.each([
    ['GET', {}],
    ['GET', { 'sec-fetch-site': 'same-origin' }],
    // Typed into the address bar, or opened from a bookmark.
    ['GET', { 'sec-fetch-site': 'none' }],
    ['POST', { origin: HERE }],
    ['POST', { 'sec-fetch-site': 'same-origin' }],
    ['DELETE', { origin: HERE, 'sec-fetch-site': 'same-origin' }],
  ])('%s with %j comes from the pages', (method, headers) => {
    expect(ask(method, headers)).not.toThrow();
  });

  it.each([
    ['GET', { origin: 'https://evil.example' }],
    ['GET', { 'sec-fetch-site': 'cross-site' }],
    ['POST', {}],
    ['GET', { 'sec-fetch-site': 'same-site' }],
    ['POST', { origin: HERE, 'sec-fetch-site': 'same-site' }],
    ['POST', { 'sec-fetch-site': 'none' }],
    ['POST', { origin: 'null' }],
    ['POST', { origin: 'http://mail.example.com' }],
    ['POST', { origin: 'https://mail.example.com.evil.example' }],
    ['POST', { origin: HERE, 'sec-fetch-site': 'cross-site' }],
    ['POST', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
  ])('%s with %j is refused', (method, headers) => {
    expect(ask(method, headers)).toThrow(expect.objectContaining({ code: 'FOREIGN_ORIGIN' }));
  });

  it('may name this machine by its number in development, and nowhere else', () => {
    expect([...originsOf('http://localhost:8081')]).toEqual(['http://localhost:8081', 'http://127.0.0.1:8081']);
    expect([...originsOf(HERE)]).toEqual([HERE]);
  });
});

describe('the cookie of a session', () => {
  it('is for TLS and this host alone where the app has TLS', () => {
    const cookie = createSessionCookie(true);
    expect(cookie.set('t')).toBe('__Host-postroom_session=t; Path=/; HttpOnly; Secure; SameSite=Lax');
    expect(cookie.cleared()).toContain('Max-Age=0');
    expect(cookie.tokenIn('a=b; __Host-postroom_session=t')).toBe('t');
    // A page without TLS, or of a sibling host, can set this one.
    expect(cookie.tokenIn('postroom_session=theirs')).toBe('');
  });
});
