/** Served while the dashboard is not built. Without script and style: the Content-Security-Policy allows neither inline. */
export const notBuiltPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Spanwise: the dashboard is not built</title></head>
<body>
<h1>The dashboard is not built</h1>
<p>The service runs and takes data. To build the dashboard, run this in its folder and load this page again; no restart is needed:</p>
<pre>npm run build</pre>
<p><code>npm start</code> builds it by itself; look in its output for the reason why it did not.</p>
<p>The interface is described at <a href="/v1/openapi.json">/v1/openapi.json</a>.</p>
</body>
</html>
`;
