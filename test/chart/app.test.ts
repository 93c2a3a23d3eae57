import { expect, it } from '@jest/globals';
import { describeChart } from './describe-chart.ts';
import { helmTemplate, render } from './helm.ts';
import { environmentOf, ofKind, workloadOf } from './objects.ts';

interface Rules {
  rules: {
    http?: { paths: { path: string; backend: { service: { name: string } } }[] };
    matches?: { path: { value: string } }[];
    backendRefs?: { name: string }[];
  }[];
}

describeChart('the app in the chart', () => {
  it('is refused without identity, and without the address that people open', () => {
    const app = 'services.app.enabled=true';
    const url = 'services.app.env.APP_URL=https://mail.example.com';
    const refusalOf = (set: string[]) => helmTemplate({ asDelivered: true, set }).error;
    expect(refusalOf([app, 'services.identity.enabled=true'])).toContain('services.app.env.APP_URL');
    expect(refusalOf([app, url])).toContain('services.identity.enabled=true');
    expect(refusalOf([app, url, 'services.identity.enabled=true'])).toBe('');
  });

  it.each([
    ['Ingress', 'ci/external-engines-values.yaml'],
    ['HTTPRoute', 'ci/gateway-api-values.yaml'],
  ])('is reached at /app by the %s, and knows its address', (kind, file) => {
    const objects = render({ asDelivered: true, values: [file] });
    const [{ spec } = { spec: { rules: [] } }] = ofKind(objects, kind);
    const { rules } = spec as unknown as Rules;
    const led = rules.flatMap(({ http, matches = [], backendRefs = [] }) =>
      http
        ? http.paths.map(({ path, backend }) => [path, backend.service.name])
        : [[matches[0]?.path.value, backendRefs[0]?.name]],
    );
    expect(led).toEqual([
      ['/app', 'postroom-app'],
      ['/', 'postroom-gateway'],
    ]);
    expect(environmentOf(workloadOf(objects, 'app'))).toMatchObject({
      APP_URL: 'https://mail.example.com',
      API_URL: 'https://mail.example.com/api/v1',
      TRUSTED_PROXIES: '1',
    });
  });
});
