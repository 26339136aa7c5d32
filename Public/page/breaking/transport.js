export class Transport { constructor(fetch) { this.fetch = (...a) => fetch(...a); } forget() {} damage() {} }
